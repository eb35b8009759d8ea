from config.api.routers import ApiRouter, SingletonRouter
from doctors import views
from doctors.verification import views as verification_views

router = ApiRouter()
# The most frequent routes come first.
router.register("doctors", views.DirectoryViewSet, basename="doctor")
router.register("doctors/verification", verification_views.ApplicationViewSet, basename="doctor-verification")

singletons = SingletonRouter()
singletons.register("doctors/profile", views.OwnProfileViewSet, basename="doctor-profile")
singletons.register("auth/register/doctor", views.DoctorRegistrationViewSet, basename="register-doctor")

urlpatterns = [*router.urls, *singletons.urls]
